// What scrolls sideways can be reached and scrolled with the keyboard, whatever the width is now.
function reachable() {
  for (const box of document.querySelectorAll(".table-wrapper, .highlight pre")) {
    if (box.scrollWidth <= box.clientWidth || box.tabIndex === 0) continue;
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    const what = box.matches("pre") ? "Code" : "Table";
    reachable.number = (reachable.number ?? 0) + 1;
    box.setAttribute("aria-label", `${what} ${reachable.number}, scrolls sideways`);
  }
}

document.addEventListener("DOMContentLoaded", () => {
  reachable();
  addEventListener("resize", reachable);
  // What the theme leaves open: the level of headings in the sidebar, and names of both sidebars.
  for (const head of document.querySelectorAll('[role="heading"]:not([aria-level])')) head.setAttribute("aria-level", "2");
  document.querySelector("aside.sidebar-drawer")?.setAttribute("aria-label", "All pages");
  document.querySelector("aside.toc-drawer")?.setAttribute("aria-label", "On this page");
});
