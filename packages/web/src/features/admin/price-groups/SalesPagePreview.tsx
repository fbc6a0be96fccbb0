import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import { parseSalesDocument, type SalesDocument } from '@vps/shared/catalogue.contract'
import { FileText } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Button } from '../../../ui/Button'
import { Dialog } from '../../../ui/Dialog'
import { Facts } from '../../../ui/Facts'
import { Bar, Empty } from '../../../ui/states'

const SalesFrame = lazy(async () => ({ default: (await import('../../../ui/SalesFrame')).SalesFrame }))

/** What customers read about a price group. */
export function SalesPagePreview({
  name,
  salesPageHtml,
  onClose,
}: {
  name: string
  salesPageHtml: string | null
  onClose: () => void
}) {
  const document = parseSalesDocument(salesPageHtml)
  return (
    <Dialog
      title={`销售页预览 · ${name}`}
      open
      width={720}
      onClose={onClose}
      footer={<Button onClick={onClose}>{verbs.close}</Button>}
    >
      {document ? (
        <DocumentFacts document={document} />
      ) : salesPageHtml ? (
        <HtmlPreview html={salesPageHtml} name={name} />
      ) : (
        <Empty icon={FileText} title="没有销售页内容">
          客户可以自由选择配置，操作系统为全部可用镜像。
        </Empty>
      )}
    </Dialog>
  )
}

/** Exactly as customers get it. */
export function HtmlPreview({ html, name }: { html: string; name: string }) {
  return (
    <Suspense fallback={<Bar $height={280} />}>
      <SalesFrame html={html} title={`${name} 的销售页`} />
    </Suspense>
  )
}

function DocumentFacts({ document }: { document: SalesDocument }) {
  return (
    <Facts
      facts={[
        ['CPU', `${document.cpu_cores} 核`],
        [labels.memory, `${document.memory} GB`],
        [labels.storage, `${document.disk_space} GB`],
        [labels.bandwidth, `${document.network_speed} Mbps`],
        [labels.ipCount, `${document.ip_count} 个`],
        [
          labels.operatingSystem,
          document.operating_system.map(({ name, versions }) => `${name} ${versions.join('、')}`).join('；') ||
            '全部可用镜像',
        ],
      ]}
    />
  )
}
