import type { OsOption } from '@vps/shared/catalogue.contract'
import * as labels from '@vps/shared/labels'
import { options, Select } from '../ui/Select'

interface Chosen {
  osName: string | null
  osVersion: string | null
}

/** A system comes with its newest version. */
export function SystemChoice({
  systems,
  chosen: { osName, osVersion },
  fault,
  onChange,
}: {
  systems: readonly OsOption[]
  chosen: Chosen
  fault: string | undefined
  onChange: (change: Partial<Chosen>) => void
}) {
  const versionsOf = (name: string | null) => systems.find((system) => system.name === name)?.versions ?? []
  return (
    <>
      <Select
        label={labels.operatingSystem}
        value={osName}
        error={fault}
        options={options(systems.map(({ name }) => [name, name]))}
        onChange={(name) => onChange({ osName: name, osVersion: versionsOf(name).at(-1) ?? null })}
      />
      <Select
        label={labels.osVersion}
        value={osVersion}
        disabled={osName === null}
        options={options(versionsOf(osName).map((version) => [version, version]))}
        onChange={(version) => onChange({ osVersion: version })}
      />
    </>
  )
}
