type Event = { at: number; run: (at: Date) => Promise<void> }

/** An event may lead to later ones. */
export class Timeline {
  private readonly events: Event[] = []

  add(at: Date | number, run: Event['run']): void {
    const event = { at: Number(at), run }
    const after = this.events.findLastIndex((one) => one.at <= event.at)
    this.events.splice(after + 1, 0, event)
  }

  /** One after the other: the ledger is a chain in order of time. */
  async live(until: Date): Promise<void> {
    for (let event = this.events.shift(); event && event.at <= until.getTime(); event = this.events.shift())
      await event.run(new Date(event.at))
  }
}
