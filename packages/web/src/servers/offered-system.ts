import type { OsOption } from '@vps/shared/catalogue.contract'

interface Chosen {
  osName: string | null
  osVersion: string | null
}

/** None where it is offered no more: a list would show another as chosen, and picking that would change nothing. */
export function offeredSystem({ osName, osVersion }: Chosen, systems: readonly OsOption[]): Chosen {
  const isOffered = systems.some(({ name, versions }) => name === osName && versions.some((each) => each === osVersion))
  return isOffered ? { osName, osVersion } : { osName: null, osVersion: null }
}
