"""What is known of an area, a difference or a curve, as a probability: posterior distributions.

The Bayesian bootstrap needs no model of the scores. The binormal posterior takes them to be Normal
in both classes, and knows something even where the sample separates them.
"""
