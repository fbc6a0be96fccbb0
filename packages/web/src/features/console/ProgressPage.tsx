import * as states from '@vps/shared/states'
import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import type { InstallProgress } from '@vps/shared/console.contract'
import { ArrowLeft, CircleX } from 'lucide-react'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { color, font, media, motion } from '../../theme/tokens'
import { Alert } from '../../ui/Alert'
import { ButtonLink } from '../../ui/Button'
import { Panel } from '../../ui/Card'
import { Page } from '../../ui/Page'
import { Bar, Failed, Loading } from '../../ui/states'
import { durationText } from '../../ui/Time'
import { useNow } from '../../ui/use-now'
import { Steps } from '../../ui/Steps'
import { heardOnly } from '../../ui/heard-only'
import { isOpen, headline, lookAgain, tabTitle, typicalText } from './install-words'
import { ReadyCard } from './ReadyCard'
import { Together } from './Together'

/** The installation of a server as it happens. */
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
  const now = useNow(open ? 1_000 : null)
  const began = progress.startedAt && Date.parse(progress.startedAt)
  const ended = progress.finishedAt ? Date.parse(progress.finishedAt) : now
  const running = progress.steps.find((step) => step.status === 'running')
  const stepIndex = progress.steps.findIndex((step) => step.status === 'running')
  const cancelled = progress.orderStatus === 'CANCELLED'
  // A dedicated server has no install job.
  const percentage = progress.installStatus === 'COMPLETED' ? 100 : progress.percentage

  return (
    <Stack>
      {progress.orderId && <Together orderId={progress.orderId} serverId={progress.serverId} />}
      {!cancelled && progress.installStatus === 'COMPLETED' && progress.orderId && (
        <ReadyCard orderId={progress.orderId} serverId={progress.serverId} />
      )}
      <Panel>
        <Head>
          <Figure $failed={progress.installStatus === 'FAILED' || cancelled}>
            {percentage}
            <small>%</small>
          </Figure>
          <div>
            <h2>{headline(progress)}</h2>
            <p>
              {stepIndex >= 0 && `第 ${stepIndex + 1} / ${progress.steps.length} 步 · `}
              {began ? `已用时 ${durationText((ended - began) / 1000)}` : open && '等待宿主机接手'}
              {open && progress.typicalSeconds && ` · 通常需要 ${typicalText(progress.typicalSeconds)}`}
              {progress.attempt > 1 && ` · 第 ${progress.attempt} 次尝试`}
            </p>
          </div>
        </Head>
        <Track
          role="progressbar"
          aria-label={labels.installProgress}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percentage}
        >
          <Fill
            style={{ width: `${percentage}%` }}
            $state={progress.installStatus === 'FAILED' || cancelled ? 'failed' : open ? 'running' : 'done'}
          />
        </Track>
        {progress.steps.length > 0 && <Steps steps={progress.steps} now={now} />}
        {/* Spoken when the step changes, without the clock. */}
        <Silent aria-live="polite">{running ? `正在${running.label}` : headline(progress)}</Silent>
      </Panel>
      {cancelled ? (
        <Alert tone="error">服务器未能开通，订单已取消，款项已全额退回账户余额。{progress.error}</Alert>
      ) : progress.installStatus === 'FAILED' ? (
        <Alert tone="error">{progress.error ?? states.installFailed}</Alert>
      ) : progress.installStatus === 'COMPLETED' ? null : (
        <Hint>可以离开本页，安装会继续进行；完成后服务器会出现在控制台中。</Hint>
      )}
      {(cancelled || progress.installStatus === 'FAILED') && (
        <Row>
          <ButtonLink tone="primary" href={paths.sales()}>
            重新选购
          </ButtonLink>
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

const Head = styled.div`
  display: flex;
  align-items: center;
  gap: 20px;

  h2 {
    ${font.md}
  }

  p {
    ${font.numbers}
    color: ${color.text2};
  }
`

const Figure = styled.div<{ $failed: boolean }>`
  min-width: 96px;
  ${font.xxl}
  ${font.strong}
  ${font.numbers}
  color: ${({ $failed }) => ($failed ? color.error.text : color.primary.text)};

  small {
    ${font.md}
    font-weight: 400;
  }

  ${media.phone} {
    min-width: 72px;
    ${font.xl}
  }
`

const Track = styled.div`
  height: 8px;
  margin: 16px 0 24px;
  border-radius: 4px;
  background: ${color.sunken};
  overflow: hidden;
`

const fills = { running: color.primary.brand, done: color.success.brand, failed: color.error.brand }

const Fill = styled.div<{ $state: keyof typeof fills }>`
  height: 100%;
  border-radius: 4px;
  background: ${({ $state }) => fills[$state]};
  transition: width ${motion.layer};
`

const Silent = styled.p`
  ${heardOnly}
`

const Hint = styled.p`
  ${font.xs}
  color: ${color.text3};
`

const Row = styled.div`
  display: flex;
  gap: 12px;
`
