import * as states from './states.js'
export const resetCodeMinutes = 10
export const resetCodeTries = 5
export const resetResendSeconds = 60

/** In which the old address may take a changed e-mail back (decision 0025). */
export const emailTakeBackHours = 72
export const emailLinkOutcomes = ['confirmed', 'taken-back'] as const
export type EmailLinkOutcome = (typeof emailLinkOutcomes)[number]

export const accountStatuses = ['active', 'suspended'] as const
export const accountStatusNames: Record<(typeof accountStatuses)[number], string> = {
  active: states.normal,
  suspended: '已停用',
}

export const roles = ['USER', 'ADMIN'] as const
export type Role = (typeof roles)[number]

/** Of an authenticator (RFC 6238), and those for its loss (decision 0149). */
export const recoveryCodes = 10
/** What happened to a second factor, as its owner is told. */
export const secondFactorEvents = ['on', 'off', 'recovered', 'renewed', 'cleared'] as const
export type SecondFactorEvent = (typeof secondFactorEvents)[number]

export const maxSshKeys = 50
/** Shown, the last used ones: each sign-in is one, and none ends by itself. */
export const mostDevices = 100
