import type { FastifyInstance } from 'fastify'
import type { Mailbox } from './mailbox.js'

/** Demo only; not there in production. */
export function registerMailbox(app: FastifyInstance, mailbox: Mailbox): void {
  app.get('/dev/mailbox', (request, reply) => {
    if (!request.headers.accept?.includes('text/html')) return reply.send(mailbox.list())
    return reply.type('text/html').send(pageOf(mailbox))
  })
}

function pageOf(mailbox: Mailbox): string {
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const mails = mailbox
    .list()
    .map(
      (mail) =>
        `<article><h2>${escape(mail.subject)}</h2><p>${escape(mail.to.join(', '))} · ${escape(mail.at)}</p><pre>${escape(mail.text)}</pre></article>`,
    )
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>开发邮箱</title></head><body><main><h1>开发邮箱（仅演示环境）</h1>${mails.join('<hr>') || '<p>还没有邮件</p>'}</main></body></html>`
}
