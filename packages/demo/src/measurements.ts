const minute = 60_000
const day = 24 * 60 * minute
/** As fine as they are kept (api's metrics/levels.ts). */
const steps = [
  { step: minute, days: 2 },
  { step: 15 * minute, days: 30 },
]

/** Repeatable; with hours when the host is off. */
export function hostSamples(now: Date, n: number) {
  const last = lastMinute(now)
  const off = { from: last - 9 * n * day - 14 * 60 * minute, to: last - 9 * n * day }
  return momentsUntil(last)
    .filter((at) => at < off.from || at > off.to)
    .map((at) => sampleOf(at, last, n))
}

/** A website's day; repeatable. */
export function machineSamples(now: Date, n: number) {
  return momentsUntil(lastMinute(now)).map((at) => {
    const seconds = at / 1000
    const daytime = 0.5 + 0.5 * Math.sin(2 * Math.PI * (seconds / 86_400 - 0.42))
    const wave = Math.sin(seconds / (400 + 150 * n)) + Math.sin(seconds / (130 + 40 * n))
    const busy = Math.max(1, 8 + 6 * n + 14 * daytime + 5 * wave + 6 * noise(at + n))
    return {
      at: new Date(at),
      cpu_usage: busy,
      memory_usage: 35 + 8 * n + 6 * daytime + noise(at + n + 1),
      disk_usage: 22 + 4 * n,
      rx_rate: busy * 9_000 * (0.8 + 0.4 * noise(at + n + 2)),
      tx_rate: busy * 31_000 * (0.8 + 0.4 * noise(at + n + 3)),
    }
  })
}

const lastMinute = (now: Date) => Math.floor(now.getTime() / minute) * minute

function momentsUntil(last: number): number[] {
  return steps.flatMap(({ step, days }, k) => {
    const newest = last - (steps[k - 1]?.days ?? 0) * day
    const count = Math.floor((newest - (last - days * day)) / step)
    return Array.from({ length: count }, (_one, m) => newest - m * step)
  })
}

function sampleOf(at: number, last: number, n: number) {
  const seconds = at / 1000
  const daytime = 0.5 + 0.5 * Math.sin(2 * Math.PI * (seconds / 86_400 - 0.42))
  const cpuUsage = 6 + 3 * n + 18 * daytime + 2 * Math.sin(seconds / 900) + 3 * noise(at + n)
  return {
    at: new Date(at),
    cpu_usage: cpuUsage,
    memory_usage: 38 + 2 * n + 5 * daytime + noise(at + n + 1),
    disk_usage: 23 + n / 2 + (at - last) / day / 10,
    load1: cpuUsage * 1.28 * (0.95 + 0.1 * noise(at + n + 2)),
  }
}

/** From 0 to 1; repeatable. */
function noise(n: number): number {
  const x = Math.sin(n * 12.9898) * 43_758.5453
  return x - Math.floor(x)
}
