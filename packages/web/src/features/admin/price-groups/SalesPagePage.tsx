import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { parseSalesDocument, type AdminPriceGroup } from '@vps/shared/catalogue.contract'
import { ArrowLeft } from 'lucide-react'
import { useRef, useState } from 'react'
import styled from 'styled-components'
import { codeOf, isAnswer, messageOf } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { font, media } from '../../../theme/tokens'
import { Alert } from '../../../ui/Alert'
import { Button, ButtonLink } from '../../../ui/Button'
import { Panel } from '../../../ui/Card'
import { TextArea } from '../../../ui/Field'
import { Page } from '../../../ui/Page'
import { Bar, Failed } from '../../../ui/states'
import { toast } from '../../../ui/toast'
import { useDebounced } from '../../../ui/use-debounced'
import { useUnsaved } from '../../../ui/use-unsaved'
import { unzoomed } from '../../../ui/unzoomed'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { asLeft } from '../parts/use-searched'
import { faultsOf, inputOf, valuesOf } from './price-group-form'
import { HtmlPreview } from './SalesPagePreview'

/** Beside what customers will see. */
export default function SalesPagePage({ id = '' }: { id?: string }) {
  return (
    <AdminOnly title={labels.salesPage} denied={operationsDenied}>
      <Loaded id={id} />
    </AdminOnly>
  )
}

function Loaded({ id }: { id: string }) {
  // Read anew first; what is being edited then stays while others save: saving tells of it.
  const group = trpc.catalogue.priceGroup.useQuery({ id }, { staleTime: 0 })
  if (group.data && group.isFetchedAfterMount) return <Editor opened={group.data} />
  return (
    <Page title={labels.salesPage} back={<Back />}>
      <Panel>
        {group.isError ? (
          <Failed title={text.priceGroupsFailed} error={group.error} onRetry={() => void group.refetch()} />
        ) : (
          <Bar $height={320} />
        )}
      </Panel>
    </Page>
  )
}

const htmlOf = (group: AdminPriceGroup) => valuesOf(group).html

/** What is being edited, and its saving: busy until it was read again, as the next save is made on that version. */
function useSalesPage(opened: AdminPriceGroup) {
  const utils = trpc.useUtils()
  const update = trpc.catalogue.updatePriceGroup.useMutation()
  const [base, setBase] = useState(opened)
  const [html, setHtml] = useState(htmlOf(opened))
  const [saved, setSaved] = useState(htmlOf(opened))
  const [problem, setProblem] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const unanswered = useRef(false)
  const values = { ...valuesOf(base), page: html.trim() === '' ? ('none' as const) : ('html' as const), html }
  const fault = faultsOf(values, base, new Date())['html']

  async function save() {
    setProblem(null)
    setSaving(true)
    await send().finally(() => setSaving(false))
  }

  async function send() {
    try {
      await update.mutateAsync({ ...inputOf(values, base), id: base.id })
      await takeNewer()
    } catch (error) {
      if (!isAnswer(error)) unanswered.current = true
      const isNewer = codeOf(error) === 'CONFLICT'
      // A second save is made on the newer version, unless that is what was sent before.
      const newer = isNewer ? await takeNewer() : null
      const isDone = unanswered.current && newer !== null && htmlOf(newer) === values.html
      if (!isDone)
        return setProblem(messageOf(error, '保存销售页失败') + (isNewer ? '，再次保存将以您填写的内容为准' : ''))
    }
    setSaved(html)
    toast('销售页已保存', 'success')
    await utils.catalogue.priceGroups.invalidate()
  }

  const takeNewer = async () => {
    const newer = await utils.catalogue.priceGroup.fetch({ id: base.id }, { staleTime: 0 }).catch(() => null)
    if (newer) setBase(newer)
    return newer
  }

  return { base, html, setHtml, fault, problem, isSaving, isUnsaved: html !== saved, save }
}

function Editor({ opened }: { opened: AdminPriceGroup }) {
  const { base, html, setHtml, fault, problem, isSaving, isUnsaved, save } = useSalesPage(opened)
  const shown = useDebounced(html, 300)
  const leaving = useUnsaved(isUnsaved)

  return (
    <Page
      title={`${labels.salesPage} · ${base.name}`}
      back={<Back />}
      actions={
        <Button tone="primary" busy={isSaving} disabled={fault !== undefined} onClick={() => void save()}>
          {verbs.save}
        </Button>
      }
    >
      {parseSalesDocument(base.salesPageHtml) && (
        <Notice>
          <Alert tone="warning">这个价格组现在用的是{labels.structuredPlan}，保存后由这里的 HTML 取代。</Alert>
        </Notice>
      )}
      {problem && (
        <Notice>
          <Alert tone="error">{problem}</Alert>
        </Notice>
      )}
      <Columns>
        <Code>
          <TextArea
            label={labels.htmlContent}
            rows={24}
            spellCheck={false}
            value={html}
            error={fault}
            help={htmlHelp}
            onChange={(event) => setHtml(event.target.value)}
          />
        </Code>
        <section aria-label={verbs.preview}>
          <Heading>{verbs.preview}</Heading>
          <HtmlPreview html={shown} name={base.name} />
        </section>
      </Columns>
      {leaving}
    </Page>
  )
}

const htmlHelp = '显示前会去除脚本、表单和样式；图片只显示内嵌的 data: 地址，其他网站的不显示；最多 64 KB'

function Back() {
  return (
    <ButtonLink
      href={asLeft(paths.priceGroups())}
      aria-label={verbs.goBack}
      icon={<ArrowLeft size={16} strokeWidth={1.75} aria-hidden />}
    />
  )
}

const Notice = styled.div`
  margin-bottom: 12px;
`

const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
  align-items: start;
  gap: 16px;

  ${media.narrow} {
    grid-template-columns: minmax(0, 1fr);
  }
`

const Heading = styled.h2`
  margin-bottom: 6px;
  ${font.sm}
`

const Code = styled.div`
  textarea {
    font-family: ${font.family.mono};
    ${font.xs}
    ${unzoomed}
  }
`
