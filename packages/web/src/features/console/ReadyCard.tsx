import * as labels from '@vps/shared/labels'
import { isIpv6 } from '@vps/shared/networks'
import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { SshWays } from '../../servers/SshWays'
import { color, font, media, radius } from '../../theme/tokens'
import { ButtonLink } from '../../ui/Button'
import { CopiedText } from '../../ui/CopiedText'
import { Panel } from '../../ui/Card'
import { Bar, Failed, Loading } from '../../ui/states'
import { CurrentPassword } from './CurrentPassword'

/** What one needs to be on the server. */
export function ReadyCard({ orderId, serverId }: { orderId: string; serverId: string }) {
  const order = trpc.orders.get.useQuery({ id: orderId })
  const shown = order.data
  const details = trpc.console.details.useQuery({ id: serverId })
  const beside = details.data?.ipAddresses.slice(1).filter(isIpv6) ?? []
  return (
    <Panel as="div">
      <Head>
        <Lit aria-hidden />
        <div>
          <h2>服务器已就绪</h2>
          <p>系统已启动，并已用您的密码验证登录成功。</p>
        </div>
        <ButtonLink tone="primary" size="lg" href={paths.console(orderId)}>
          {verbs.toConsole}
        </ButtonLink>
      </Head>
      {order.isError && !shown ? (
        <Failed title={text.orderLoadFailed} error={order.error} onRetry={() => void order.refetch()} />
      ) : !shown ? (
        <Loading label={text.orderLoading}>
          <Bar $height={180} />
        </Loading>
      ) : (
        <Access>
          <Login>
            <div>
              <dt>{labels.ipAddress}</dt>
              <dd>
                {shown.ipAddress ? <CopiedText text={shown.ipAddress} what={labels.ipAddress} /> : text.noAddressYet}
              </dd>
            </div>
            {beside.map((address) => (
              <div key={address}>
                <dt>{labels.ipv6Address}</dt>
                <dd>
                  <CopiedText text={address} what={labels.ipv6Address} />
                </dd>
              </div>
            ))}
            <div>
              <dt>{labels.username}</dt>
              <dd>
                <CopiedText text={shown.username} what={labels.username} />
              </dd>
            </div>
          </Login>
          <CurrentPassword serverId={serverId} />
          {shown.ipAddress && <SshWays username={shown.username} ipAddress={shown.ipAddress} sshPort={shown.sshPort} />}
        </Access>
      )}
    </Panel>
  )
}

const Head = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 16px;
  margin: -4px -4px 0;
  padding: 16px 20px;
  border-radius: ${radius.card};
  background: ${color.success.tint};

  h2 {
    ${font.md}
  }

  > div {
    flex: 1;
    min-width: 200px;
  }

  p {
    color: ${color.text2};
  }

  ${media.phone} {
    > a {
      width: 100%;
    }
  }
`

const Lit = styled.i`
  width: 24px;
  height: 24px;
  border-radius: ${radius.control};
  background: ${color.success.fill};
`

const Access = styled.div`
  display: grid;
  gap: 16px;
  margin-top: 20px;
`

const Login = styled.dl`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 16px;

  dt {
    ${font.sm}
    color: ${color.text2};
  }

  ${media.phone} {
    grid-template-columns: minmax(0, 1fr);
    gap: 8px;
  }
`
