import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import type { OverviewView } from '@vps/shared/overview.contract'
import styled from 'styled-components'
import { Link } from 'wouter'
import { messageOf } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { paths } from '../../../paths'
import { Alert } from '../../../ui/Alert'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { Bar } from '../../../ui/states'
import { Dim } from '../../../ui/Time'
import { AgentTag } from '../parts/AgentTag'
import { HostLink } from '../parts/links'
import { Meter } from '../parts/Meter'
import { Measure, Rows } from './Rows'

/** As many as stand beside a chart. */
const shownHosts = 7

/** Which are heard, and how busy they are: first those that somebody should look at. */
export function HostsCard({ counts }: { counts: OverviewView['hosts'] | undefined }) {
  const hosts = trpc.hosts.list.useQuery({ page: 0, size: shownHosts, order: 'care' })
  const rows = hosts.data?.content
  return (
    <Card
      title="宿主机与代理"
      {...(counts ? { note: `在线 ${counts.alive} / ${counts.total}` } : {})}
      actions={<Link href={paths.hosts()}>{labels.all}</Link>}
    >
      {!rows && hosts.isError ? (
        <Alert tone="warning" action={<Button onClick={() => void hosts.refetch()}>{verbs.retry}</Button>}>
          宿主机读取失败：{messageOf(hosts.error)}
        </Alert>
      ) : !rows ? (
        <Bar $height={180} />
      ) : rows.length === 0 ? (
        <Dim>还没有宿主机</Dim>
      ) : (
        <Rows>
          {rows.map((host) => (
            <li key={host.id}>
              <Name>
                <HostLink id={host.id} name={host.name} /> <AgentTag host={host} />
              </Name>
              <Measure>
                <Meter label={`${host.name} CPU 使用率`} share={(host.cpuUsage ?? 0) / 100} />
                <span>{host.cpuUsage !== null ? `CPU ${Math.round(host.cpuUsage)}%` : <Dim>—</Dim>}</span>
              </Measure>
            </li>
          ))}
        </Rows>
      )}
    </Card>
  )
}

const Name = styled.span`
  display: flex;
  align-items: center;
  gap: 8px;
  min-width: 0;
  overflow-wrap: anywhere;
`
