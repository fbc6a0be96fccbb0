import { useState } from 'react'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { color, font, media } from '../../theme/tokens'
import { Card } from '../../ui/Card'
import { Chip, type ChipTone } from '../../ui/Chip'
import { pageSizes } from '../../ui/address-filters'
import { Pager } from '../../ui/Pager'
import { Bar, Failed } from '../../ui/states'
import { Time } from '../../ui/Time'
import { actionWords, jobStatusWords } from '@vps/shared/job-words'
import type { ConsoleServer } from '../../servers/console-server'

const tones: Record<string, ChipTone> = {
  QUEUED: 'info',
  RUNNING: 'info',
  SUCCEEDED: 'success',
  FAILED: 'error',
}

/** The latest first. */
export function LogsPart({ server }: { server: ConsoleServer }) {
  const [page, setPage] = useState(0)
  const [size, setSize] = useState<number>(20)
  const logs = trpc.console.logs.useQuery({ id: server.id, page, size }, { placeholderData: (old) => old })
  return (
    <Card title="操作日志">
      {logs.isError && !logs.data ? (
        <Failed title="加载操作日志失败" error={logs.error} onRetry={() => void logs.refetch()} />
      ) : !logs.data ? (
        <Bar $height={120} />
      ) : logs.data.content.length === 0 ? (
        <Quiet>还没有操作记录</Quiet>
      ) : (
        <>
          <List>
            {logs.data.content.map((entry) => (
              <li key={entry.id}>
                <span>{actionWords[entry.action] ?? entry.action}</span>
                <Chip tone={tones[entry.status] ?? 'neutral'} busy={entry.status === 'RUNNING'}>
                  {jobStatusWords[entry.status] ?? entry.status}
                </Chip>
                <small>{entry.error}</small>
                <small>{entry.by}</small>
                <Time at={entry.createdAt} />
              </li>
            ))}
          </List>
          {logs.data.totalElements > Math.min(size, pageSizes[0]) && (
            <Pager
              total={logs.data.totalElements}
              page={page}
              size={size}
              onPage={setPage}
              onSize={(next) => {
                setSize(next)
                setPage(0)
              }}
            />
          )}
        </>
      )}
    </Card>
  )
}

const Quiet = styled.p`
  color: ${color.text3};
`

const List = styled.ul`
  li {
    display: grid;
    grid-template-columns: 96px 96px minmax(0, 1fr) auto auto;
    align-items: center;
    gap: 16px;
    min-height: 40px;
    justify-items: start;

    & + li {
      border-top: 1px solid ${color.line};
    }
  }

  small {
    ${font.xs}
    color: ${color.text3};
    overflow-wrap: anywhere;
  }

  ${media.phone} {
    li {
      grid-template-columns: 1fr auto;
      gap: 2px 12px;
      padding: 10px 0;
    }

    small:empty {
      display: none;
    }
  }
`
