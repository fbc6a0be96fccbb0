import { defaultSpec } from '@vps/shared/servers'

/** The size room is counted in. */
export const usualSize = `${defaultSpec.cpuCores} 核 ${defaultSpec.memoryGb} GB ${defaultSpec.storageGb} GB`
