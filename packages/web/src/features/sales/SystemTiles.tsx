import type { OsOption } from '@vps/shared/catalogue.contract'
import * as labels from '@vps/shared/labels'
import styled from 'styled-components'
import { SystemMark } from '../../servers/SystemMark'
import { color, font } from '../../theme/tokens'
import { Problem } from '../../ui/Field'
import { options, Select } from '../../ui/Select'
import { Tiles } from '../../ui/Tiles'

/** Each comes with its newest version. */
export function SystemTiles({
  systems,
  chosen: { osName, osVersion },
  fault,
  onChange,
}: {
  systems: readonly OsOption[]
  chosen: { osName: string | null; osVersion: string | null }
  fault: string | undefined
  onChange: (change: { osName?: string; osVersion?: string | null }) => void
}) {
  const versions = systems.find(({ name }) => name === osName)?.versions ?? []
  return (
    <Stack>
      <Tiles
        legend={labels.operatingSystem}
        name="system"
        minWidth={150}
        value={osName}
        onChange={(name) =>
          onChange({ osName: name, osVersion: systems.find((each) => each.name === name)?.versions.at(-1) ?? null })
        }
        tiles={systems.map(({ name, versions }) => ({
          value: name,
          label: name,
          content: (
            <System>
              <SystemMark name={name} />
              <b>{name}</b>
              <small>{name === osName ? osVersion : versions.at(-1)}</small>
            </System>
          ),
        }))}
      />
      {fault && <Problem>{fault}</Problem>}
      {versions.length > 1 && (
        <Version>
          <Select
            label={labels.osVersion}
            value={osVersion}
            options={options(versions.map((version) => [version, version]))}
            onChange={(version) => onChange({ osVersion: version })}
          />
        </Version>
      )}
    </Stack>
  )
}

const Stack = styled.div`
  display: grid;
  gap: 12px;
  margin-bottom: 16px;
`

const System = styled.div`
  display: grid;
  grid-template-columns: 32px minmax(0, 1fr);
  align-content: center;
  align-items: center;
  gap: 0 12px;
  height: 100%;

  svg {
    grid-row: 1 / 3;
  }

  small {
    ${font.xs}
    color: ${color.text3};
  }
`

const Version = styled.div`
  max-width: 240px;
`
