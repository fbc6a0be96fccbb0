import { accountStatusNames } from '@vps/shared/accounts'
import { auditFieldNames } from '@vps/shared/audit-fields'
import { backupOriginNames } from '@vps/shared/backups'
import { hostStatusNames } from '@vps/shared/hosts'
import { actionWords } from '@vps/shared/job-words'
import * as labels from '@vps/shared/labels'
import { suspendReasonNames } from '@vps/shared/orders'
import { paymentMethodNames } from '@vps/shared/payments'
import { periodNames } from '@vps/shared/periods'
import { remoteEnds, remoteEndNames } from '@vps/shared/remote'
import * as states from '@vps/shared/states'
import { incidentStateTexts } from '@vps/shared/status'
import { siteNames } from '../../../about/site-names'
import { kindWords, readinessWords } from '../images/image-words'

export const fieldNames: Record<string, string> = { ...siteNames, ...auditFieldNames }

/** Words of the program as people say them. */
export const valueNames: Record<string, Readonly<Record<string, string>>> = {
  frequency: { off: labels.nothing, daily: labels.everyDay, weekly: labels.everyWeek },
  initial_status: { ONLINE: states.online, OFFLINE: states.offline },
  kind: { ...actionWords, ...kindWords, screen: labels.screen, serial: labels.serialLine },
  method: paymentMethodNames,
  origin: backupOriginNames,
  period: periodNames,
  readiness: readinessWords,
  reason: suspendReasonNames,
  role: { ADMIN: labels.administrator, USER: labels.user },
  state: incidentStateTexts,
  status: { ...accountStatusNames, ...hostStatusNames },
  why: { ...Object.fromEntries(remoteEndNames.map((end) => [end, remoteEnds[end].text])), left: '已离开' },
}
