import type { Outputs } from '../../../api/trpc'

export type AdminCategory = Outputs['catalogue']['categories']['content'][number]

export type AdminGroup = Outputs['catalogue']['group']

export type AdminJob = Outputs['jobs']['list']['content'][number]

export type AnyOrder = Outputs['orders']['all']['content'][number]

export type Enrolment = Outputs['hosts']['create']

/** On a host and should not be, or the other way round. */
export type Finding = Outputs['findings']['list']['content'][number]
