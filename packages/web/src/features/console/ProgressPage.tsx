import * as states from '@vps/shared/states'
import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import { orderStatusNames } from '@vps/shared/orders'
import type { InstallProgress } from '@vps/shared/console.contract'
import { ArrowLeft, CircleX, Monitor } from 'lucide-react'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { color, font } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { ButtonLink } from '../../ui/Button'
import { Panel } from '../../ui/Card'
import { Page } from '../../ui/Page'
import { Bar, Failed, Loading } from '../../ui/states'
import { useServerNow } from '../../ui/use-server-now'
import { Steps } from '../../ui/Steps'
import { InstallHead } from './InstallHead'
import { isNotReinstalled, isOpen, isOver, lookAgain, tabTitle } from './install-words'
import { ReadyCard } from './ReadyCard'
import { Together } from './Together'

/** An installation as it happens. */
export default function ProgressPage({ serverId = '' }: { serverId?: string | undefined }) {
  const progress = trpc.console.install.useQuery({ id: serverId }, { refetchInterval: lookAgain })
  const shown = progress.data

  return (
    <Page
      title={shown ? tabTitle(shown) : labels.installProgress}
      heading={labels.installProgress}
      note={shown?.serverName}
      width="form"
      back={
        <ButtonLink href={paths.dashboard()} icon={<ArrowLeft size={16} strokeWidth={1.75} aria-hidden />}>
          {verbs.goBack}
        </ButtonLink>
      }
    >
      {progress.isError && !shown ? (
        <Panel>
          <Failed title="加载安装进度失败" error={progress.error} onRetry={() => void progress.refetch()} />
        </Panel>
      ) : !shown ? (
        <Loading label="正在加载安装进度">
          <Panel as="div">
            <Bar $height={200} />
          </Panel>
        </Loading>
      ) : (
        <Progress progress={shown} />
      )}
    </Page>
  )
}

function Progress({ progress }: { progress: InstallProgress }) {
  const open = isOpen(progress)
  const now = useServerNow(open ? 1_000 : null)
  const over = isOver(progress)
  const isWithoutSystem = !over && !open && progress.installStatus === 'FAILED'

  return (
    <Stack>
      {progress.orderId && <Together orderId={progress.orderId} serverId={progress.serverId} />}
      <InstallHead progress={progress} now={now} />
      {!over && progress.installStatus === 'COMPLETED' && progress.orderId && (
        <ReadyCard orderId={progress.orderId} serverId={progress.serverId} />
      )}
      {progress.steps.length > 0 && (
        <Panel as="div">
          <Steps steps={progress.steps} now={now} />
        </Panel>
      )}
      {over && progress.wasActive ? (
        <Alert tone="info">
          {progress.orderStatus && `订单${orderStatusNames[progress.orderStatus]}，`}
          {text.serverReleased}。{progress.error}
        </Alert>
      ) : over ? (
        <Alert tone="error">服务器未能开通，订单已取消，款项已全额退回账户余额。{progress.error}</Alert>
      ) : isWithoutSystem ? (
        <Alert tone="error">
          {progress.error && `${progress.error}。`}
          {text.noSystem}
        </Alert>
      ) : progress.installStatus === 'FAILED' || (isNotReinstalled(progress) && progress.error) ? (
        <Alert tone="error">{progress.error ?? states.installFailed}</Alert>
      ) : progress.installStatus === 'COMPLETED' ? null : (
        <Hint>可以离开本页，安装会继续进行；完成后服务器会出现在控制台中。</Hint>
      )}
      {open && progress.driver === 'kvm' && (
        <Row>
          <ButtonLink
            href={paths.remote(progress.serverId)}
            icon={<Monitor size={16} strokeWidth={1.75} aria-hidden />}
          >
            {labels.remoteConsole}
          </ButtonLink>
        </Row>
      )}
      {(over || isWithoutSystem) && (
        <Row>
          {over || !progress.orderId ? (
            <ButtonLink tone="primary" href={paths.sales()}>
              重新选购
            </ButtonLink>
          ) : (
            <ButtonLink tone="primary" href={paths.console(progress.orderId)}>
              {verbs.toConsole}
            </ButtonLink>
          )}
          <ButtonLink href={paths.orders(progress.orderId ?? undefined)} icon={<CircleX size={16} aria-hidden />}>
            {verbs.viewOrder}
          </ButtonLink>
        </Row>
      )}
    </Stack>
  )
}

const Stack = styled.div`
  display: grid;
  gap: 16px;
`

const Hint = styled.p`
  ${font.xs}
  color: ${color.text3};
`

const Row = styled.div`
  display: flex;
  gap: 12px;
`
