import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import { incidentStates, incidentStateTexts } from '@vps/shared/status'
import type { IncidentView } from '@vps/shared/status.contract'
import { useState } from 'react'
import { useForm, useWatch, type Control } from 'react-hook-form'
import { codeOf, isAnswer } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { useKeyed } from '../../../api/use-keyed'
import { resolverOf } from '../../../forms/resolver-of'
import { Alert } from '../../../ui/Alert'
import { dateTimeText } from '../../../ui/Time'
import { FormArea, FormDate, FormSelect, FormText, Row } from '../parts/fields'
import { FormChecks } from '../parts/FormChecks'
import { FormDialog } from '../parts/FormDialog'
import { empty, faultsOf, inputOf, serviceOptions, updateOf, type Values } from './incident-form'

const nowIfEmpty = '北京时间，留空为现在'
const keptIfEmpty = `北京时间，${text.unchangedWhenEmpty}`
const states = incidentStates.map((value) => ({ value, text: incidentStateTexts[value] }))

interface IncidentDialogProps {
  /** As its writer saw it; null: a new one. */
  incident: IncidentView | null
  /** As it is by now. */
  latest: IncidentView | undefined
  onClose: () => void
}

/** Tells of it, or what is known since. */
export default function IncidentDialog({ incident: seen, latest, onClose }: IncidentDialogProps) {
  const [outrun, setOutrun] = useState(false)
  // Such an update may be the one that came before.
  const [unanswered, setUnanswered] = useState(false)
  // After another's update, that is shown and answered.
  const incident = (outrun && latest) || seen
  const utils = trpc.useUtils()
  const [report] = useKeyed(trpc.status.report.useMutation().mutateAsync)
  const [update] = useKeyed(trpc.status.update.useMutation().mutateAsync)
  const form = useForm<Values>({
    defaultValues: { ...empty, state: incident?.updates[0]?.state ?? empty.state },
    resolver: resolverOf((values) => faultsOf(values, incident, new Date())),
  })
  const { control } = form
  const over = useWatch({ control, name: 'state' }) === 'resolved'

  return (
    <FormDialog
      title={incident ? verbs.updateIncident : verbs.reportIncident}
      width={640}
      form={form}
      saveLabel={verbs.publish}
      saved={incident ? '进展已发布' : '服务事件已发布'}
      failed={incident ? '补充进展失败' : '发布服务事件失败'}
      save={async (values) => {
        if (!incident) await report(inputOf(values))
        else
          try {
            await update({ id: incident.id, after: incident.updates[0]?.id, ...updateOf(values) })
          } catch (error) {
            if (!isAnswer(error)) setUnanswered(true)
            if (codeOf(error) === 'CONFLICT') {
              await utils.status.incidents.invalidate()
              setOutrun(true)
            }
            throw error
          }
        await utils.status.invalidate()
      }}
      onClose={onClose}
    >
      {incident ? (
        <p>
          {labels.incident} <b>{incident.title}</b>
        </p>
      ) : (
        <What control={control} />
      )}
      <FormArea
        control={control}
        name="body"
        label={labels.content}
        required
        rows={5}
        help="所有访客都看得到，并随订阅推送；发布后不能修改或删除"
      />
      <Row>
        <FormSelect control={control} name="state" label={labels.progress} options={states} />
        {!incident && (
          <FormDate control={control} name="startsAt" label={labels.startTime} grain="minute" help={nowIfEmpty} />
        )}
        {over && (
          <FormDate
            control={control}
            name="endsAt"
            label={labels.recoveredAt}
            grain="minute"
            help={incident?.endsAt ? keptIfEmpty : nowIfEmpty}
          />
        )}
      </Row>
      {outrun && incident?.updates[0] && <Since update={incident.updates[0]} mayBeMine={unanswered} />}
    </FormDialog>
  )
}

/** Of a new one: it stays. */
function What({ control }: { control: Control<Values> }) {
  const groups = trpc.catalogue.groups.useQuery(
    { page: 0, size: 1000 },
    { select: ({ content }) => serviceOptions(content) },
  )
  return (
    <>
      <FormText control={control} name="title" label={labels.title} required maxLength={100} autoComplete="off" />
      <FormChecks control={control} name="services" legend={labels.affectedServices} required read={groups} empty="" />
    </>
  )
}

interface SinceProps {
  update: IncidentView['updates'][number]
  /** Sent here before, without an answer. */
  mayBeMine: boolean
}

/** What was told meanwhile; the text stays, and is published after it. */
function Since({ update: { at, state, body }, mayBeMine }: SinceProps) {
  return (
    <Alert tone="warning">
      {mayBeMine ? `${text.sentBefore}可能已经发布。最新进展：` : '其他管理员已在 '}
      {dateTimeText(at)} {!mayBeMine && '发布进展'}“{incidentStateTexts[state]}”：{body}
      <br />
      您填写的内容仍在，核对后可再次发布。
    </Alert>
  )
}
