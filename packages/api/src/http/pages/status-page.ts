import * as labels from '@vps/shared/labels'
import { daysText, incidentStateTexts, overallText, stateTexts } from '@vps/shared/status'
import type { IncidentView, StatusView } from '@vps/shared/status.contract'
import { shanghaiMinute } from '@vps/shared/time'
import { columns } from './columns.js'
import { escaped } from './escaped.js'

export const feedPath = '/status/feed.xml'

/** As text: each service's state and days in a sentence, and the incidents. */
export function statusBody({ at, overall, services, incidents }: StatusView): string {
  const since = at === null ? '' : `<br />${shanghaiMinute(new Date(at))} 检查（北京时间）`
  const rows = services.map(({ name, state, share, days }) => {
    const cells = [stateTexts[state], daysText(share, days)]
    return `<tr><th scope="row">${escaped(name)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  const heads = [labels.service, labels.status, labels.availability]
  const table = `<table><caption>${labels.service}</caption>${columns(heads.length)}<thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`
  const told = incidents.map(incidentPart).join('') || `<p>${labels.noIncidents}</p>`
  return `<div class="page form"><h1>${labels.serviceStatus}</h1>
<p class="overall ${overall}"><b>${overallText({ overall, services })}</b>${since}</p>
${rows.length > 0 ? `<div class="panel">${table}</div>` : ''}
<div class="panel"><h2>${labels.incidents}</h2>${told}<p><a href="${feedPath}">${labels.incidentFeed}</a></p></div></div>`
}

function incidentPart({ title, services, updates }: IncidentView): string {
  const lines = updates.map((update) => `<p>${updateText(update)}</p>`).join('')
  return `<h3>${escaped(title)}</h3><p>${labels.affected}：${escaped(services.join('、'))}</p>${lines}`
}

const updateText = ({ at, state, body }: IncidentView['updates'][number]) =>
  `${shanghaiMinute(new Date(at))} ${incidentStateTexts[state]}：${escaped(body)}`
