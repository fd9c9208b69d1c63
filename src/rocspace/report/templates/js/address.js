// What the reader chose, behind the "#" of the address: "#explorer?at=0.5&prevalence=0.02".
// Choices only, never data; a copied link opens the same view.
function address() {
  const split = () => {
    const [anchor, query = ""] = location.hash.slice(1).split("?");
    return { anchor, chosen: new URLSearchParams(query) };
  };
  const names = ["score", "at", "prevalence", "cost", "rate"];
  const known = new Map(names.map((name) => [name, split().chosen.get(name)]));
  let waiting = 0;

  function write() {
    const chosen = new URLSearchParams();
    for (const [name, value] of known) if (value !== null) chosen.set(name, value);
    const query = chosen.size ? `?${chosen}` : "";
    const anchor = split().anchor || (query ? "explorer" : "");
    try {
      history.replaceState(null, "", `#${anchor}${query}`);
    } catch {
      // a page inside another one may not change its address
    }
  }

  return {
    // The value of a choice in the address, or null.
    get: (name) => split().chosen.get(name),
    // Remember choices; null leaves one out. Browsers allow few changes a second.
    set(choices) {
      for (const [name, value] of Object.entries(choices)) known.set(name, value);
      clearTimeout(waiting);
      waiting = setTimeout(write, 150);
    },
    // Call `apply` when another link to this page is opened; a link to a section keeps the choices.
    follow(apply) {
      addEventListener("hashchange", () => {
        if (location.hash.includes("?")) apply();
        else if ([...known.values()].some((value) => value !== null)) write();
      });
    },
    // A browser finds no section behind "#explorer?at=0.5".
    scroll() {
      const { anchor, chosen } = split();
      if (chosen.size) document.getElementById(anchor)?.scrollIntoView();
    },
  };
}
