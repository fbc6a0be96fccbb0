import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { useForm, useWatch, type Control } from 'react-hook-form'
import styled from 'styled-components'
import { trpc } from '../../../api/trpc'
import { useKeyed } from '../../../api/use-keyed'
import { resolverOf } from '../../../forms/resolver-of'
import { color, font, radius } from '../../../theme/tokens'
import { NoticeStrip } from '../../../ui/NoticeStrip'
import { FormArea, FormDate, FormSelect, FormText, Row } from '../parts/fields'
import { FormDialog } from '../parts/FormDialog'
import { useGroupOptions } from '../parts/use-groups'
import { empty, faultsOf, inputOf, type Values } from './announcement-form'
import { levelWords } from './announcement-words'

const audiences = [
  { value: 'all', text: labels.everyone },
  { value: 'group', text: '某个服务器分组的客户' },
  { value: 'host', text: '某台宿主机上的客户' },
]
const levels = Object.entries(levelWords).map(([value, text]) => ({ value, text }))

/** Writes a notice, with a preview. */
export default function AnnouncementDialog({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils()
  const [create] = useKeyed(trpc.announcements.create.useMutation().mutateAsync)
  const form = useForm<Values>({
    defaultValues: empty,
    resolver: resolverOf((values) => faultsOf(values, new Date())),
  })
  const { control } = form

  return (
    <FormDialog
      title={verbs.publishAnnouncement}
      width={640}
      form={form}
      saveLabel={verbs.publish}
      saved="公告已发布"
      failed="发布公告失败"
      save={async (values) => {
        await create(inputOf(values))
        await utils.announcements.invalidate()
      }}
      onClose={onClose}
    >
      <FormText control={control} name="title" label={labels.title} required maxLength={100} autoComplete="off" />
      <FormArea control={control} name="body" label={labels.content} required rows={5} />
      <Row>
        <FormSelect control={control} name="level" label="级别" options={levels} />
        <FormSelect control={control} name="audience" label={labels.recipients} options={audiences} />
      </Row>
      <Audience control={control} />
      <Row>
        <FormDate
          control={control}
          name="startsAt"
          label={labels.startTime}
          grain="minute"
          help="北京时间，留空立即展示"
        />
        <FormDate
          control={control}
          name="endsAt"
          label={labels.endTime}
          grain="minute"
          help="北京时间，留空直到手动结束"
        />
      </Row>
      <Preview control={control} />
    </FormDialog>
  )
}

function Audience({ control }: { control: Control<Values> }) {
  const audience = useWatch({ control, name: 'audience' })
  const groups = useGroupOptions()
  const hosts = trpc.hosts.list.useQuery({ page: 0, size: 1000 }, { enabled: audience === 'host' })
  if (audience === 'group')
    return <FormSelect control={control} name="groupId" label={labels.serverGroup} required options={groups} />
  if (audience === 'host') {
    const options = (hosts.data?.content ?? []).map(({ id, name }) => ({ value: id, text: name }))
    return <FormSelect control={control} name="hostId" label={labels.host} required options={options} />
  }
  return null
}

function Preview({ control }: { control: Control<Values> }) {
  const { title, body, level } = useWatch({ control, compute: (values: Values) => values })
  return (
    <Figure>
      <Caption>{verbs.preview}</Caption>
      <Frame>
        <NoticeStrip notice={{ title: title.trim() || labels.title, body: body.trim() || labels.content, level }} />
      </Frame>
    </Figure>
  )
}

/* The dialog's edge cuts the line. */
const Figure = styled.figure`
  min-width: 0;
`

const Caption = styled.figcaption`
  margin-bottom: 6px;
  ${font.sm}
  color: ${color.text2};
`

const Frame = styled.div`
  overflow: hidden;
  border: 1px solid ${color.line};
  border-radius: ${radius.control};
`
