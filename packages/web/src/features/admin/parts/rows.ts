import type { Outputs } from '../../../api/trpc'

/** A category as operators keep it. */
export type AdminCategory = Outputs['catalogue']['categories']['content'][number]

/** A server group as operators keep it. */
export type AdminGroup = Outputs['catalogue']['group']

/** An act on a machine, in the list of all. */
export type AdminJob = Outputs['jobs']['list']['content'][number]

/** Anybody’s order. */
export type AnyOrder = Outputs['orders']['all']['content'][number]

/** What a new host’s agent enrols with. */
export type Enrolment = Outputs['hosts']['create']

/** What is on a host and should not be, or the other way round. */
export type Finding = Outputs['findings']['list']['content'][number]
