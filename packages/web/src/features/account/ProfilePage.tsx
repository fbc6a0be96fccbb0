import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import * as pages from '../../page-names'
import { CreditCard } from 'lucide-react'
import styled from 'styled-components'
import { useSession } from '../../api/session'
import { paths } from '../../paths'
import { color, font, media, radius } from '../../theme/tokens'
import { ButtonLink } from '../../ui/Button'
import { Card, Panel } from '../../ui/Card'
import { Tag } from '../../ui/Chip'
import { Page } from '../../ui/Page'
import { Bar } from '../../ui/states'
import { TabLinks } from '../../ui/TabLinks'
import { dateText } from '../../ui/Time'
import { useParam } from '../../ui/use-param'
import { DevicesCard } from './DevicesCard'
import { ProfileForm } from './ProfileForm'
import { SecondFactorCard } from './SecondFactorCard'
import { SshKeysCard } from './SshKeysCard'
import { WalletCard } from './WalletCard'

const parts = [
  ['account', labels.account],
  ['second-factor', labels.secondFactor],
  ['devices', labels.signedInDevices],
  ['keys', labels.sshKeys],
] as const

/** The account, in parts with addresses. */
export default function ProfilePage() {
  const [asked] = useParam('part')
  const [part] = parts.find(([name]) => name === asked) ?? parts[0]
  return (
    <Page title={pages.profile}>
      <TabLinks
        label="账户的各部分"
        parts={parts}
        current={part}
        hrefOf={(one) => paths.profile(one === 'account' ? undefined : one)}
      />
      {part === 'account' ? (
        <Account />
      ) : part === 'second-factor' ? (
        <SecondFactorCard />
      ) : part === 'devices' ? (
        <DevicesCard />
      ) : (
        <SshKeysCard />
      )}
    </Page>
  )
}

function Account() {
  const { user } = useSession()
  return (
    <Columns>
      <Column>
        <Panel>
          {user ? (
            <Who>
              <Avatar aria-hidden>{user.username.charAt(0).toUpperCase()}</Avatar>
              <div>
                <h2>{user.username}</h2>
                <p>{user.email}</p>
                <p>{dateText(user.createdAt)} 加入</p>
              </div>
              {user.isAdmin && <Tag>{labels.administrator}</Tag>}
            </Who>
          ) : (
            <Bar $height={64} />
          )}
        </Panel>
        <WalletCard />
        <Card title={verbs.recharge}>
          <Fact>
            <CreditCard size={24} strokeWidth={1.5} aria-hidden />
            <p>支持多种支付方式，支付成功后即时到账。</p>
          </Fact>
          <Row>
            <ButtonLink tone="primary" href={paths.recharge()}>
              {verbs.rechargeNow}
            </ButtonLink>
            <ButtonLink href={paths.paymentHistory()}>{pages.payments}</ButtonLink>
          </Row>
        </Card>
      </Column>
      <Column>{user && <ProfileForm key={user.id} user={user} />}</Column>
    </Columns>
  )
}

const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
  align-items: start;
  gap: 16px;

  ${media.narrow} {
    grid-template-columns: minmax(0, 1fr);
  }

  ${media.phone} {
    gap: 12px;
  }
`

const Column = styled.div`
  display: grid;
  gap: inherit;
`

const Who = styled.div`
  display: flex;
  align-items: center;
  gap: 16px;

  > div {
    flex: 1;
    min-width: 0;
  }

  h2 {
    ${font.lg}
    overflow-wrap: anywhere;
  }

  p {
    color: ${color.text3};
    overflow-wrap: anywhere;
  }
`

const Avatar = styled.span`
  display: grid;
  place-items: center;
  flex: none;
  width: 64px;
  height: 64px;
  border-radius: ${radius.dialog};
  background: ${color.night};
  color: ${color.onNight};
  ${font.xl}
  ${font.strong}
`

const Fact = styled.div`
  display: flex;
  gap: 12px;
  color: ${color.text2};

  svg {
    color: ${color.primary.brand};
  }
`

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 12px;
  margin-top: 16px;
`
