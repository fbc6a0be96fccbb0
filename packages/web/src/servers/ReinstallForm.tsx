import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import type { OsOption } from '@vps/shared/catalogue.contract'
import { Dices, WandSparkles } from 'lucide-react'
import styled from 'styled-components'
import { media } from '../theme/tokens'
import { Inside, PasswordField, TextField } from '../ui/Field'
import { options, Select } from '../ui/Select'
import { makePassword, makePort } from './machine-access'
import { reinstallFaults, type ReinstallDraft } from './reinstall'
import { SshKeyChoice } from './SshKeyChoice'

/** System, version, password, port and keys of a reinstall. */
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
  const versions = systems.find(({ name }) => name === draft.osName)?.versions ?? []
  return (
    <Stack>
      <Fields>
        <Select
          label={labels.operatingSystem}
          value={draft.osName}
          error={faults.os}
          options={options(systems.map(({ name }) => [name, name] as const))}
          onChange={(osName) =>
            onChange({ osName, osVersion: systems.find(({ name }) => name === osName)?.versions.at(-1) ?? null })
          }
        />
        <Select
          label={labels.osVersion}
          value={draft.osVersion}
          disabled={draft.osName === null}
          options={options(versions.map((version) => [version, version] as const))}
          onChange={(osVersion) => onChange({ osVersion })}
        />
        <PasswordField
          label="新root密码"
          autoComplete="new-password"
          value={draft.rootPassword}
          error={faults.rootPassword}
          onChange={(event) => onChange({ rootPassword: event.target.value })}
          end={
            <Inside
              type="button"
              title={verbs.newPassword}
              aria-label={verbs.newPassword}
              onClick={() => onChange({ rootPassword: makePassword() })}
            >
              <WandSparkles size={16} strokeWidth={1.75} />
            </Inside>
          }
        />
        <TextField
          label="新SSH端口"
          inputMode="numeric"
          value={draft.sshPort}
          error={faults.sshPort}
          onChange={(event) => onChange({ sshPort: event.target.value })}
          end={
            <Inside
              type="button"
              title={verbs.newPort}
              aria-label={verbs.newPort}
              onClick={() => onChange({ sshPort: makePort() })}
            >
              <Dices size={16} strokeWidth={1.75} />
            </Inside>
          }
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
