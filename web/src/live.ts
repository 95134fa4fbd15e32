// A run that goes on: its data come in a stream of events (softdock/replay/live.py) until it ends.
import { decoded, type Recording } from "./data";
import { button, element } from "./dom";
import type { Page } from "./main";

/** What the page knows of the run beside its rows. */
class Status {
  private readonly words = element("span", { class: "so-far", "aria-live": "off" });
  private readonly follow = button("● Live", "Follow the run as it goes on", () => this.page?.player.follow(1), { class: "follow" });
  readonly root = element("div", { class: "group live" }, this.follow, this.words);
  page: Page | null = null;

  tell(text: string): void {
    this.words.textContent = text;
    this.follow.setAttribute("aria-pressed", String(this.page?.player.live ?? false));
  }
}

/** Show the run as far as it is, and go on with it. Resolves when there is something to see; `show` opens a page. */
export function listen(app: HTMLElement, address: string, show: (runs: Recording[]) => Page): Promise<void> {
  const stream = new EventSource(address);
  const status = new Status();
  const waiting = element("p", { class: "waiting", role: "status" }, "Waiting for the first rows of the run…");
  let work: Promise<unknown> = Promise.resolve(); // one after the other
  let last: Recording | null = null;
  let then = 0;
  document.documentElement.dataset.theme = "dark";
  app.append(waiting);
  return new Promise((ready, fail) => {
    stream.addEventListener("time", (event) => {
      const { t, of } = JSON.parse(event.data) as { t: number; of: number };
      status.tell(`computed to ${t.toFixed(1)} of ${Number(of.toPrecision(6))} s`);
    });
    stream.addEventListener("run", (event) => {
      const [data, tracks] = String(event.data).split("\n");
      work = work.then(async () => {
        const run = await decoded(data, tracks);
        const seconds = then ? (performance.now() - then) / 1000 : 1;
        then = performance.now();
        last = run;
        if (status.page && run.data.status === "running") status.page.renew(run, seconds);
        else open(run);
      }).catch(fail);
    });
    stream.addEventListener("end", () => {
      stream.close();
      work = work.then(() => {
        status.root.remove();
        if (!last) waiting.textContent = "The run has ended without a row.";
      });
    });
    stream.addEventListener("error", () => {
      stream.close(); // the run's process is gone, however it ended
      status.tell("no longer connected to the run");
      if (!last) waiting.textContent = "The run's process does not answer.";
    });

    /** A page of the run as it is now: at first, and again when it has ended, with all that is recorded then. */
    function open(run: Recording): void {
      const before = status.page;
      const view = before?.stage.views.current;
      const time = before && !before.player.live ? before.player.time : run.end;
      before?.close();
      app.replaceChildren();
      const page = show([run]);
      status.page = page;
      if (view) page.view(view);
      if (run.data.status === "running") {
        app.querySelector("header")!.append(status.root);
        page.player.seek(run.end);
        page.player.follow(1);
      } else page.player.seek(time);
      ready();
    }
  });
}
