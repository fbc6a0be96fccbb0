import styled from 'styled-components'
import type { ReinstallDraft } from '../../servers/reinstall'
import { media } from '../../theme/tokens'
import type { Kept, OnUpgrade } from './console-parts'
import { ConfigCard } from './ConfigCard'
import { MonitoringCard } from './MonitoringCard'
import { PasswordCard } from './PasswordCard'
import { PowerCard } from './PowerCard'
import { ReinstallCard } from './ReinstallCard'
import type { ConsoleServer } from '../../servers/console-server'

/** The specification's cards. */
export function OverviewPart({
  server,
  onRenew,
  onUpgrade,
  onStarted,
  password,
  reinstall,
}: {
  server: ConsoleServer
  onRenew: () => void
  onUpgrade: OnUpgrade
  onStarted: (jobId: string) => void
  password: Kept<string>
  reinstall: Kept<ReinstallDraft | null>
}) {
  return (
    <>
      <ConfigCard server={server} onRenew={onRenew} onUpgrade={onUpgrade} />
      <MonitoringCard server={server} />
      <Pair>
        <PowerCard server={server} onStarted={onStarted} />
        <PasswordCard server={server} onStarted={onStarted} kept={password} />
      </Pair>
      <ReinstallCard server={server} kept={reinstall} />
    </>
  )
}

const Pair = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
  gap: 16px;

  ${media.narrow} {
    grid-template-columns: minmax(0, 1fr);
    gap: inherit;
  }
`
