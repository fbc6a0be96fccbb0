const minute = 60_000
const days = 30

/** By the minute, with hours when the host was off; always the same. */
export function hostSamples(now: Date) {
  const last = Math.floor(now.getTime() / minute) * minute
  const off = { from: last - (9 * 24 + 14) * 60 * minute, to: last - 9 * 24 * 60 * minute }
  return Array.from({ length: days * 24 * 60 + 1 }, (_one, n) => last - n * minute)
    .filter((at) => at < off.from || at > off.to)
    .map((at) => sampleOf(at, last))
}

function sampleOf(at: number, last: number) {
  const seconds = at / 1000
  const daytime = 0.5 + 0.5 * Math.sin(2 * Math.PI * (seconds / 86_400 - 0.42))
  const cpuUsage = 9 + 18 * daytime + 2 * Math.sin(seconds / 900) + 3 * noise(at)
  return {
    at: new Date(at),
    cpu_usage: cpuUsage,
    memory_usage: 36 + 5 * daytime + noise(at + 1),
    disk_usage: 11 + (at - last) / 86_400_000 / 15,
    load1: cpuUsage * 20 * (0.95 + 0.1 * noise(at + 2)),
  }
}

/** From 0 to 1; repeatable. */
function noise(n: number): number {
  const x = Math.sin(n * 12.9898) * 43_758.5453
  return x - Math.floor(x)
}
