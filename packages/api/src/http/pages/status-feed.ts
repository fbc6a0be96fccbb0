import { createHash } from 'node:crypto'
import { productName } from '@vps/shared/brand'
import * as labels from '@vps/shared/labels'
import { incidentStateTexts } from '@vps/shared/status'
import type { IncidentView } from '@vps/shared/status.contract'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.js'
import { readStatus } from '../../status/read-status.js'
import { escaped } from './escaped.js'
import { feedPath } from './status-page.js'

const epoch = '1970-01-01T00:00:00.000Z'

/** Incidents as Atom (RFC 4287): an entry each, renewed by updates; 304 to who has it. */
export function registerStatusFeed(app: FastifyInstance, deps: Deps): void {
  app.get(feedPath, async (request, reply) => {
    const feed = feedOf((await readStatus(deps)).incidents, deps.config.publicUrl)
    const etag = `W/"${createHash('sha1').update(feed).digest('base64url')}"`
    void reply.header('cache-control', 'no-cache').header('etag', etag)
    const has = request.headers['if-none-match']?.split(',').some((each) => each.trim() === etag)
    return has ? reply.status(304).send() : reply.type('application/atom+xml; charset=utf-8').send(feed)
  })
}

/** Ids are the incidents', so that none is new to a reader after the shop moved. */
export function feedOf(incidents: readonly IncidentView[], publicUrl: string): string {
  const urlOf = (path: string) => escaped(new URL(path, publicUrl).href)
  const updated = incidents.map(updatedAt).toSorted().at(-1) ?? epoch
  const entries = incidents.map(
    (incident) => `<entry>
<id>urn:uuid:${incident.id}</id>
<title>${escaped(textOf(incident.title))}</title>
<published>${incident.startsAt}</published>
<updated>${updatedAt(incident)}</updated>
<link rel="alternate" type="text/html" href="${urlOf(`/status#${incident.id}`)}"/>
<content type="text">${escaped(textOf(contentOf(incident)))}</content>
</entry>
`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="zh-CN">
<id>${urlOf('/status')}</id>
<title>${productName} ${labels.serviceStatus}</title>
<updated>${updated}</updated>
<author><name>${productName}</name></author>
<link rel="alternate" type="text/html" href="${urlOf('/status')}"/>
<link rel="self" type="application/atom+xml" href="${urlOf(feedPath)}"/>
${entries.join('')}</feed>
`
}

const updatedAt = ({ updates, startsAt }: IncidentView) => updates[0]?.at ?? startsAt

const contentOf = ({ services, updates }: IncidentView) =>
  [
    `${labels.affected}：${services.join('、')}`,
    ...updates.map(({ at, state, body }) => `${at} ${incidentStateTexts[state]}：${body}`),
  ].join('\n')

/** XML 1.0 has no control characters but tab and line ends, not even escaped. */
const textOf = (text: string) => text.replace(/\p{Cc}|\p{Cn}/gu, (sign) => ('\t\n\r'.includes(sign) ? sign : ''))
