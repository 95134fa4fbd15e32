// Keyboard shortcuts, and the overlay that lists them.
import { button, element } from "./dom";

export type Shortcut = [keys: string[], what: string, act: () => void];

export class Help {
  readonly root = element("dialog", { class: "help", "aria-label": "Keyboard shortcuts" });

  /** Keys are heard until `closing`. */
  constructor(shortcuts: Shortcut[], closing: AbortSignal) {
    const rows = [...shortcuts, [["?"], "this list", () => this.toggle()] as Shortcut];
    const table = element("table");
    for (const [keys, what] of rows) {
      const shown = keys.map((key) => element("kbd", {}, key === " " ? "space" : key.replace("Arrow", "")));
      table.append(element("tr", {}, element("td", {}, ...shown), element("td", {}, what)));
    }
    this.root.append(
      element("h2", {}, "Keyboard"), table,
      element("p", { class: "quiet" }, "Drag turns, right drag (two fingers) shifts, wheel (pinch) comes nearer. Click a plot to go there."),
      button("Close", "Close (Escape)", () => this.root.close(), { autofocus: "" }),
    );
    window.addEventListener("keydown", (event) => {
      const target = event.target as HTMLElement;
      const typing = target.tagName === "SELECT" || (target.tagName === "INPUT" && event.key.startsWith("Arrow"));
      const pressing = target.tagName === "BUTTON" && event.key === " ";
      if (event.ctrlKey || event.metaKey || event.altKey || typing || pressing) return;
      if (this.root.open && event.key !== "?") return;
      const found = rows.find(([keys]) => keys.includes(event.key));
      if (!found) return;
      event.preventDefault();
      found[2]();
    }, { signal: closing });
  }

  toggle(): void {
    if (this.root.open) this.root.close();
    else this.root.showModal();
  }
}
