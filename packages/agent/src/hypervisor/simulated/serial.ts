import { Duplex } from 'node:stream'

const bootLog = [
  '[    0.000000] Simulated machine: no kernel was started, this is a drawing of one',
  '[    0.412000] simulated: memory and disk exist on paper',
  '[    1.204000] simulated: network is up on paper',
  '',
]

const banner = '模拟服务器（没有真实系统）'
const mostTyped = 256
const mostUnread = 64 * 1024

/** Answers as a login would, and says that there is none. */
export class SimulatedSerial extends Duplex {
  private typed = ''
  private asksPassword = false

  constructor(private readonly name: string) {
    super({ allowHalfOpen: false })
    this.push(bootLog.join('\r\n'))
    this.greet()
  }

  override _read(): void {}

  override _write(data: Buffer, _encoding: string, done: () => void): void {
    // Unread, it hears nothing, as a line without flow control.
    if (this.readableLength < mostUnread) for (const letter of data.toString('latin1')) this.hear(letter)
    done()
  }

  override _final(done: () => void): void {
    this.push(null)
    done()
  }

  private greet(): void {
    this.asksPassword = false
    this.push(`\r\n${banner}\r\n${this.name} login: `)
  }

  private hear(letter: string): void {
    if (letter === '\r' || letter === '\n') return this.enter()
    if (letter === '\x7f' || letter === '\b') {
      if (this.typed && !this.asksPassword) this.push('\b \b')
      this.typed = this.typed.slice(0, -1)
    } else if (letter >= ' ' && this.typed.length < mostTyped) {
      this.typed += letter
      if (!this.asksPassword) this.push(letter)
    }
  }

  private enter(): void {
    const { typed } = this
    this.typed = ''
    if (this.asksPassword) {
      this.push('\r\n模拟的服务器没有系统，无法登录 (simulated, nobody can log in)\r\n')
      this.greet()
    } else if (typed) {
      this.asksPassword = true
      this.push('\r\nPassword: ')
    } else this.greet()
  }
}
