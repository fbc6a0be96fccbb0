import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { portOf } from './port-of.js'

export type ReceivedMail = { at: string; to: string[]; subject: string; text: string; html: string | null }

export type Mailbox = {
  smtpUrl: string
  /** Newest first. */
  list(): ReceivedMail[]
  close(): Promise<void>
}

const kept = 200
const maxBytes = 1024 * 1024

/** A real SMTP listener on loopback, in memory; never in production. */
export async function openMailbox(now: () => Date): Promise<Mailbox> {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: maxBytes,
    maxClients: 20,
    socketTimeout: 10_000,
    logger: false,
    onData(stream, session, answer) {
      receive(stream, session).then(
        () => answer(),
        (error: Error) => answer(error),
      )
    },
  })
  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const parts: AsyncIterable<Buffer> = stream
    const chunks: Buffer[] = []
    for await (const chunk of parts) chunks.push(chunk)
    if (stream.sizeExceeded) throw new Error('mail too long')
    const to = session.envelope.rcptTo.map((recipient) => recipient.address)
    const mail = await PostalMime.parse(Buffer.concat(chunks))
    mails.unshift({
      at: now().toISOString(),
      to,
      subject: mail.subject ?? '',
      text: mail.text ?? '',
      html: mail.html ?? null,
    })
    mails.length = Math.min(mails.length, kept)
  }
  // A client hung up.
  server.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    smtpUrl: `smtp://127.0.0.1:${portOf(server.server)}?ignoreTLS=true`,
    list: () => [...mails],
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
