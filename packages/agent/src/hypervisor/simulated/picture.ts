import { large, latin } from './glyphs.js'

/** 80 columns and 25 lines of 8 by 16 points; a colour a point as 0xRRGGBB. */
export const pictureSize = { width: 640, height: 400 } as const
const [columns, firstLine, lines] = [80, 8, 16]
const colours = { ground: 0x10161d, text: 0xd5dde5, loud: 0xf5b83d, pointer: 0x4cc2ff }

export const simulatedName = '模拟服务器'

/** Says that it is simulated; shows what is typed, and the pointer. */
export class Picture {
  private readonly typed: string[] = ['']
  private pointer = { x: 320, y: 320 }

  /** A key's X11 symbol (RFC 6143, 7.5.4). */
  press(key: number): void {
    const last = this.typed.length - 1
    const line = this.typed[last] ?? ''
    if (key >= 0x20 && key < 0x7f && line.length < columns - 4) this.typed[last] = line + String.fromCharCode(key)
    if (key === 0xff08) this.typed[last] = line.slice(0, -1)
    if (key === 0xff0d || key === 0xff8d) this.typed.push('')
    if (this.typed.length > lines) this.typed.shift()
  }

  point(x: number, y: number): void {
    this.pointer = { x, y }
  }

  draw(): Uint32Array {
    const { width, height } = pictureSize
    const points = new Uint32Array(width * height).fill(colours.ground)
    ;[...simulatedName].forEach((letter, at) => stamp(points, large[letter], 32, [16 + at * 34, 16], colours.loud))
    ;[...'没有真实画面'].forEach((letter, at) => stamp(points, large[letter], 32, [16 + at * 34, 56], colours.text))
    write(points, 6, 'SIMULATED - no real machine. What you type:', colours.loud)
    this.typed.forEach((line, at) => {
      const cursor = at === this.typed.length - 1 ? '_' : ''
      write(points, firstLine + at, `> ${line}${cursor}`, colours.text)
    })
    const { x, y } = this.pointer
    for (let at = -6; at <= 6; at++) {
      dot(points, x + at, y, colours.pointer)
      dot(points, x, y + at, colours.pointer)
    }
    return points
  }
}

function write(points: Uint32Array, line: number, text: string, colour: number): void {
  ;[...text].forEach((letter, at) => {
    const from = (letter.charCodeAt(0) - 32) * 16
    stamp(points, latin.subarray(from, from + 16), 8, [16 + at * 8, line * 16], colour)
  })
}

function stamp(
  points: Uint32Array,
  bits: Buffer | undefined,
  size: number,
  at: [number, number],
  colour: number,
): void {
  if (!bits) return
  const bytesPerRow = size / 8
  bits.forEach((byte, index) => {
    for (let bit = 0; bit < 8; bit++) {
      const x = at[0] + (index % bytesPerRow) * 8 + bit
      if (byte & (0x80 >> bit)) dot(points, x, at[1] + Math.floor(index / bytesPerRow), colour)
    }
  })
}

function dot(points: Uint32Array, x: number, y: number, colour: number): void {
  const { width, height } = pictureSize
  if (x >= 0 && x < width && y >= 0 && y < height) points[y * width + x] = colour
}
