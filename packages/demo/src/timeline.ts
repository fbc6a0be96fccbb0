type Event = { at: number; run: (at: Date) => Promise<void> }

/** What happens when; an event may lead to later ones. */
export class Timeline {
  private readonly events: Event[] = []

  add(at: Date | number, run: Event['run']): void {
    const event = { at: Number(at), run }
    const after = this.events.findLastIndex((one) => one.at <= event.at)
    this.events.splice(after + 1, 0, event)
  }

  /** The ledger is a chain, in the order of time: one after the other. What would come later does not happen. */
  async live(until: Date): Promise<void> {
    for (let event = this.events.shift(); event && event.at <= until.getTime(); event = this.events.shift())
      await event.run(new Date(event.at))
  }
}
