"""Simulations behind the constants of our own methods: each prints what its constant rests on."""
