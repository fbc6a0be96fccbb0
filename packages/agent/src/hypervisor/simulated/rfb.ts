import { Duplex } from 'node:stream'
import { Picture, pictureSize, simulatedName } from './picture.js'

const pieceBytes = 32 * 1024

type Wanted = { bytes: number; take: (data: Buffer) => void }
type Format = { bytes: number; bigEndian: boolean; shifts: [number, number, number]; most: [number, number, number] }

/** RFB 3.8's side with the picture (RFC 6143), no password, raw encoding. */
export class SimulatedScreen extends Duplex {
  private readonly picture = new Picture()
  private heard = Buffer.alloc(0)
  private wanted: Wanted
  private format: Format = { bytes: 4, bigEndian: false, shifts: [16, 8, 0], most: [255, 255, 255] }
  private out: Buffer[] = []
  private flows = false
  private waits = false
  private changed = false

  constructor() {
    super({ allowHalfOpen: false })
    this.say(Buffer.from('RFB 003.008\n'))
    this.wanted = { bytes: 12, take: () => this.offerSecurity() }
  }

  override _read(): void {
    this.flows = true
    this.flow()
  }

  override _write(data: Buffer, _encoding: string, done: () => void): void {
    this.heard = Buffer.concat([this.heard, data])
    while (this.heard.length >= this.wanted.bytes && !this.destroyed) {
      const { bytes, take } = this.wanted
      const taken = this.heard.subarray(0, bytes)
      this.heard = this.heard.subarray(bytes)
      take(taken)
    }
    done()
  }

  override _final(done: () => void): void {
    this.push(null)
    done()
  }

  private want(bytes: number, take: (data: Buffer) => void): void {
    this.wanted = { bytes, take }
  }

  private say(data: Buffer): void {
    for (let at = 0; at < data.length; at += pieceBytes) this.out.push(data.subarray(at, at + pieceBytes))
    this.flow()
  }

  private flow(): void {
    while (this.flows && this.out.length > 0) this.flows = this.push(this.out.shift())
    if (this.out.length === 0 && this.waits && this.changed) this.sendPicture()
  }

  private offerSecurity(): void {
    this.say(Buffer.from([1, 1]))
    this.want(1, () => {
      this.say(Buffer.alloc(4))
      this.want(1, () => this.introduce())
    })
  }

  private introduce(): void {
    const name = Buffer.from(simulatedName)
    const told = Buffer.alloc(24)
    told.writeUInt16BE(pictureSize.width, 0)
    told.writeUInt16BE(pictureSize.height, 2)
    Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0]).copy(told, 4)
    told.writeUInt32BE(name.length, 20)
    this.say(Buffer.concat([told, name]))
    this.nextMessage()
  }

  private nextMessage(): void {
    this.want(1, ([kind]) => {
      if (kind === 0) this.want(19, (data) => this.setFormat(data))
      else if (kind === 2) this.want(3, (data) => this.skip(data.readUInt16BE(1) * 4))
      else if (kind === 3) this.want(9, (data) => this.asked(data[0] === 1))
      else if (kind === 4) this.want(7, (data) => this.key(data))
      else if (kind === 5)
        this.want(5, (data) => this.change(() => this.picture.point(data.readUInt16BE(1), data.readUInt16BE(3))))
      else if (kind === 6) this.want(7, (data) => this.skip(data.readUInt32BE(3)))
      else this.destroy()
    })
  }

  /** Unused texts and lists, up to a bound. */
  private skip(bytes: number): void {
    if (bytes > 1024 * 1024) return void this.destroy()
    this.want(bytes, () => this.nextMessage())
  }

  private setFormat(data: Buffer): void {
    const bytes = (data[3] ?? 0) / 8
    const most = [data.readUInt16BE(7), data.readUInt16BE(9), data.readUInt16BE(11)] as const
    if (![1, 2, 4].includes(bytes) || data[6] === 0) return void this.destroy()
    this.format = {
      bytes,
      bigEndian: data[5] !== 0,
      most: [...most],
      shifts: [data[13] ?? 0, data[14] ?? 0, data[15] ?? 0],
    }
    this.nextMessage()
  }

  private asked(changesOnly: boolean): void {
    this.waits = true
    if (!changesOnly) this.changed = true
    this.nextMessage()
    this.flow()
  }

  private key(data: Buffer): void {
    this.change(() => data[0] !== 0 && this.picture.press(data.readUInt32BE(3)))
  }

  private change(act: () => void): void {
    act()
    this.changed = true
    this.nextMessage()
    this.flow()
  }

  private sendPicture(): void {
    this.waits = this.changed = false
    const { width, height } = pictureSize
    const head = Buffer.alloc(16)
    head.writeUInt16BE(1, 2)
    head.writeUInt16BE(width, 8)
    head.writeUInt16BE(height, 10)
    this.say(Buffer.concat([head, encode(this.picture.draw(), this.format)]))
  }
}

function encode(points: Uint32Array, { bytes, bigEndian, shifts, most }: Format): Buffer {
  const data = Buffer.alloc(points.length * bytes)
  points.forEach((point, at) => {
    let value = 0
    for (const [index, from] of [16, 8, 0].entries()) {
      const level = Math.round((((point >> from) & 255) * (most[index] ?? 0)) / 255)
      value += level * 2 ** (shifts[index] ?? 0)
    }
    if (bigEndian) data.writeUIntBE(value, at * bytes, bytes)
    else data.writeUIntLE(value, at * bytes, bytes)
  })
  return data
}
