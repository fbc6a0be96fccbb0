export type Dice = ReturnType<typeof createDice>

/** Random numbers, repeatable by their seed: a mulberry32. */
export function createDice(seed: number) {
  let state = seed * 0x9e_37_79_b9
  function roll(): number {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    /** From 0, below 1. */
    roll,
    between: (least: number, most: number) => least + roll() * (most - least),
    of<T>(choices: readonly T[]): T {
      const choice = choices[Math.floor(roll() * choices.length)]
      if (choice === undefined) throw new Error('nothing to choose from')
      return choice
    },
  }
}
