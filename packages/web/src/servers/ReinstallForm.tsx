import * as verbs from '@vps/shared/verbs'
import type { OsOption } from '@vps/shared/catalogue.contract'
import { WandSparkles } from 'lucide-react'
import styled from 'styled-components'
import { media } from '../theme/tokens'
import { named } from '../ui/Button'
import { Inside, PasswordField } from '../ui/Field'
import { makePassword } from './machine-access'
import { PortField } from './PortField'
import { reinstallFaults, type ReinstallDraft } from './reinstall'
import { SshKeyChoice } from './SshKeyChoice'
import { SystemChoice } from './SystemChoice'

const rootPassword = '新root密码'

/** System, password, port and keys of a reinstall. */
export function ReinstallForm({
  draft,
  systems,
  onChange,
}: {
  draft: ReinstallDraft
  systems: OsOption[]
  onChange: (change: Partial<ReinstallDraft>) => void
}) {
  const faults = reinstallFaults(draft)
  return (
    <Stack>
      <Fields>
        <SystemChoice systems={systems} chosen={draft} fault={faults.os} onChange={onChange} />
        <PasswordField
          label={rootPassword}
          autoComplete="new-password"
          value={draft.rootPassword}
          error={faults.rootPassword}
          onChange={(event) => onChange({ rootPassword: event.target.value })}
          end={
            <Inside
              type="button"
              {...named(verbs.generateAnotherPassword)}
              onClick={() => onChange({ rootPassword: makePassword(rootPassword) })}
            >
              <WandSparkles size={16} strokeWidth={1.75} />
            </Inside>
          }
        />
        <PortField
          label="新SSH端口"
          error={faults.sshPort}
          throwing={verbs.generateAnotherPort}
          value={draft.sshPort}
          onChange={(sshPort) => onChange({ sshPort })}
        />
      </Fields>
      <SshKeyChoice chosen={draft.sshKeyIds} onChange={(sshKeyIds) => onChange({ sshKeyIds })} />
    </Stack>
  )
}

const Stack = styled.div`
  display: grid;
  gap: 16px;
`

const Fields = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(200px, 1fr));
  gap: 16px;

  ${media.phone} {
    grid-template-columns: minmax(0, 1fr);
  }
`
