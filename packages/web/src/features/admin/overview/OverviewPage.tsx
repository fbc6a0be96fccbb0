import * as pages from '../../../page-names'
import styled from 'styled-components'
import { failureOf } from '../../../api/errors'
import { trpc } from '../../../api/trpc'
import { Alert } from '../../../ui/Alert'
import { Page } from '../../../ui/Page'
import { Failed } from '../../../ui/states'
import { clockTime } from '../../../ui/Time'
import { useUnhurried } from '../../../ui/unhurried'
import { AdminOnly, operationsDenied } from '../parts/AdminOnly'
import { silenceLookMs } from '../../../api/look-again'
import { Board } from './Board'
import { Figures } from './Figures'

/** 概览. */
export default function OverviewPage() {
  return (
    <AdminOnly title={pages.overview} denied={operationsDenied}>
      <Overview />
    </AdminOnly>
  )
}

function Overview() {
  const overview = trpc.operations.overview.useQuery(undefined, { refetchInterval: silenceLookMs })
  const { isError, error, dataUpdatedAt } = overview
  const shown = useUnhurried(overview.data)
  return (
    <Page
      title={pages.overview}
      refresh={{ updatedAt: dataUpdatedAt, busy: overview.isFetching, run: () => void overview.refetch() }}
    >
      {isError && shown && (
        <Stale>
          <Alert tone="warning">
            {failureOf('刷新概览失败', error)}。以下为 {clockTime(dataUpdatedAt)} 的数据。
          </Alert>
        </Stale>
      )}
      <Figures shown={shown} failed={isError} />
      {isError && !shown ? (
        <Failed title="加载概览失败" error={error} onRetry={() => void overview.refetch()} />
      ) : (
        <Board shown={shown} />
      )}
    </Page>
  )
}

const Stale = styled.div`
  margin-bottom: 16px;
`
