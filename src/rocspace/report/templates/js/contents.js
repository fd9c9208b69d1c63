// The link to the section that is being read.
function contents() {
  const links = [...document.querySelectorAll(".contents a")];
  const heads = links.map((link) => document.getElementById(link.hash.slice(1)));
  const mark = () => {
    let last = 0;
    heads.forEach((head, i) => {
      if (head && head.getBoundingClientRect().top < innerHeight / 3) last = i;
    });
    links.forEach((link, i) => (i === last ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}
