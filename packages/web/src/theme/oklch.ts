/** sRGB hex, WCAG contrast, lightness moved in OKLCH with the hue kept. */

interface Oklch {
  l: number
  c: number
  h: number
}

type Rgb = readonly [number, number, number]

/** WCAG, of opaque colours. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** `share` of `over` painted on `under`. */
export function mix(under: string, over: string, share: number): string {
  const [a, b] = [toRgb(under), toRgb(over)]
  return toHex(mapRgb(a, (v, i) => v + (b[i] - v) * share))
}

/** By the fewest small steps. Found by bisection: what fits after some steps must fit after more. */
export function moveLightness(hex: string, direction: 'darker' | 'lighter', fits: (colour: string) => boolean): string {
  if (fits(hex)) return hex
  const start = toOklch(hex)
  const step = direction === 'darker' ? -0.004 : 0.004
  const after = (steps: number) => fromOklch({ ...start, l: start.l + steps * step })
  let [tooFew, enough] = [0, 1 / 0.004]
  while (enough - tooFew > 1) {
    const middle = (tooFew + enough) >> 1
    if (fits(after(middle))) enough = middle
    else tooFew = middle
  }
  return after(enough)
}

/** In degrees. */
export function hue(hex: string): number {
  return toOklch(hex).h
}

function luminance(hex: string): number {
  const [r, g, b] = mapRgb(toRgb(hex), (v) => toLinear(v / 255))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function mapRgb([r, g, b]: Rgb, part: (value: number, index: 0 | 1 | 2) => number): Rgb {
  return [part(r, 0), part(g, 1), part(b, 2)]
}

function toRgb(hex: string): Rgb {
  const n = parseInt(hex.slice(1), 16)
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255]
}

function toHex(rgb: Rgb): string {
  return `#${rgb
    .map((v) =>
      Math.round(Math.min(255, Math.max(0, v)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

const toLinear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
const fromLinear = (v: number) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055)

function toOklch(hex: string): Oklch {
  const [r, g, b] = mapRgb(toRgb(hex), (v) => toLinear(v / 255))
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, bb),
    h: ((Math.atan2(bb, a) * 180) / Math.PI + 360) % 360,
  }
}

function fromOklch({ l, c, h }: Oklch): string {
  // Out of sRGB the chroma gives way; the hue stays.
  for (let chroma = c; ; chroma -= 0.004) {
    const rgb = linearRgb(l, Math.max(0, chroma), h)
    if (chroma <= 0 || rgb.every((v) => v >= -0.0005 && v <= 1.0005)) {
      return toHex(mapRgb(rgb, (v) => fromLinear(Math.min(1, Math.max(0, v))) * 255))
    }
  }
}

function linearRgb(lightness: number, c: number, h: number): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}
