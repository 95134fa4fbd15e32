// The time that is shown, and who wants to know.

export class Player {
  time: number;
  playing = false;
  speed = 1;
  private last = 0;
  private readonly listeners: ((time: number) => void)[] = [];

  /** Of a run that goes on: simulated seconds a second at which its end is followed; 0 if it is not. */
  private following = 0;

  constructor(readonly start: number, public end: number, private rows: Float64Array) {
    this.time = start;
  }

  get live(): boolean {
    return this.following > 0;
  }

  /** There are more rows; go to their end in about so many seconds, when the next will have come. */
  extend(end: number, rows: Float64Array, seconds: number): void {
    [this.end, this.rows] = [end, rows];
    if (this.following) this.follow(seconds);
    else this.tell();
  }

  /** Keep up with a run that goes on. */
  follow(seconds: number): void {
    this.following = Math.max((this.end - this.time) / Math.max(seconds, 0.1), 1e-9);
    if (!this.playing) this.begin();
  }

  onChange(listener: (time: number) => void): void {
    this.listeners.push(listener);
  }

  seek(time: number): void {
    this.following = 0;
    this.go(time);
  }

  private go(time: number): void {
    const wanted = Number.isFinite(time) ? time : this.start;
    this.time = Math.min(this.end, Math.max(this.start, wanted));
    this.tell();
  }

  private tell(): void {
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
    this.begin();
  }

  private begin(): void {
    this.playing = true;
    this.last = performance.now();
    this.tell();
    requestAnimationFrame((now) => this.tick(now));
  }

  pause(): void {
    this.following = 0;
    if (!this.playing) return;
    this.playing = false;
    this.tell();
  }

  private tick(now: number): void {
    if (!this.playing) return;
    const passed = Math.max(0, now - this.last) / 1000;
    this.last = now;
    const next = this.time + passed * (this.following || this.speed);
    if (next >= this.end && !this.following) this.playing = false;
    if (next !== this.time && this.time < this.end) this.go(next);
    else if (!this.playing) this.tell();
    if (this.playing) requestAnimationFrame((then) => this.tick(then));
  }
}
