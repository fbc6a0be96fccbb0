import * as labels from '@vps/shared/labels'
import type { ReverseDnsTest, ReverseDnsView } from '@vps/shared/reverse-names.contract'
import * as states from '@vps/shared/states'
import styled from 'styled-components'
import { messageOf } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { color, font } from '../../../theme/tokens'
import { Alert } from '../../../ui/Alert'
import { Chip } from '../../../ui/Chip'
import { Facts } from '../../../ui/Facts'
import { Dim } from '../../../ui/Time'
import { ReverseDnsDialog } from './ReverseDnsDialog'
import { ServiceCard } from './ServiceCard'

/** Without its key. */
export function ReverseDnsCard() {
  const reverse = trpc.reverseDns.get.useQuery()
  const clear = trpc.reverseDns.clear.useMutation()
  const test = trpc.reverseDns.test.useMutation()
  return (
    <ServiceCard
      title={labels.reverseDns}
      note="客户在控制台设置的反向解析（PTR）通过 PowerDNS 的 HTTP API 写入。没有设置时，控制台不显示反向解析。"
      read={reverse}
      testing={test.isPending}
      onTest={() => test.mutate()}
      editor={(view, close) => <ReverseDnsDialog view={view} onSaved={() => test.reset()} onClose={close} />}
      afterwards="客户不能再设置反向解析。已写入的域名仍在名称服务器上，服务器释放后也不会被删除，直到重新设置。"
      onClear={(version) => clear.mutateAsync({ version })}
    >
      {(view) => (
        <>
          <Told view={view} />
          {test.isError && <Alert tone="error">{messageOf(test.error)}</Alert>}
          {test.data && <Zones tested={test.data.zones} />}
        </>
      )}
    </ServiceCard>
  )
}

function Told({ view: { url, zones, mustResolve, waiting, failed } }: { view: ReverseDnsView }) {
  if (url === null) return <Facts facts={[[labels.address, <Dim key="address">{states.notSet}</Dim>]]} />
  return (
    <Facts
      facts={[
        [labels.address, url, 'mono'],
        [
          labels.reverseZones,
          <Lines key="zones">
            {zones.map((zone) => (
              <span key={zone}>{zone}</span>
            ))}
          </Lines>,
          'mono',
        ],
        [labels.forwardName, mustResolve ? labels.mustResolve : '不检查'],
        ['写入', failed + waiting === 0 ? '全部已生效' : `${waiting} 个待写入，${failed} 个出错（自动重试）`],
      ]}
    />
  )
}

const Zones = ({ tested }: { tested: ReverseDnsTest['zones'] }) => (
  <Result role="status" aria-label="测试结果">
    <ul>
      {tested.map(({ zone, fault }) => (
        <li key={zone}>
          <code>{zone}</code>
          <Chip tone={fault === null ? 'success' : 'error'}>{fault ?? '可以写入'}</Chip>
        </li>
      ))}
    </ul>
  </Result>
)

const Lines = styled.span`
  display: grid;
`

const Result = styled.div`
  ul {
    display: grid;
    gap: 8px;
  }

  margin-top: 12px;
  padding-top: 12px;
  border-top: 1px solid ${color.line};

  li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 4px 16px;
  }

  code {
    font-family: ${font.family.mono};
    overflow-wrap: anywhere;
  }
`
