// The time that is shown, and who wants to know.

export class Player {
  time: number;
  playing = false;
  speed = 1;
  private last = 0;
  private readonly listeners: ((time: number) => void)[] = [];

  constructor(readonly start: number, readonly end: number, private readonly rows: Float64Array) {
    this.time = start;
  }

  onChange(listener: (time: number) => void): void {
    this.listeners.push(listener);
  }

  seek(time: number): void {
    const wanted = Number.isFinite(time) ? time : this.start;
    this.time = Math.min(this.end, Math.max(this.start, wanted));
    for (const listener of this.listeners) listener(this.time);
  }

  /** To the next recorded row, or the one before. */
  step(rows: number): void {
    this.pause();
    const spacing = (this.end - this.start) / Math.max(this.rows.length - 1, 1);
    let at = 0;
    while (at + 1 < this.rows.length && this.rows[at + 1] <= this.time + 1e-3 * spacing) at++;
    this.seek(this.rows[Math.min(this.rows.length - 1, Math.max(0, at + rows))]);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.playing) return;
    if (this.time >= this.end) this.seek(this.start);
    this.playing = true;
    this.last = performance.now();
    this.seek(this.time);
    requestAnimationFrame((now) => this.tick(now));
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.seek(this.time);
  }

  private tick(now: number): void {
    if (!this.playing) return;
    const passed = Math.max(0, now - this.last) / 1000;
    this.last = now;
    const next = this.time + passed * this.speed;
    if (next >= this.end) this.playing = false;
    this.seek(next);
    if (this.playing) requestAnimationFrame((then) => this.tick(then));
  }
}
