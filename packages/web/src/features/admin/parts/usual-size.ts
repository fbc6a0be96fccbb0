import { defaultSpec } from '@vps/shared/servers'

export const usualSize = `${defaultSpec.cpuCores} 核 ${defaultSpec.memoryGb} GB ${defaultSpec.storageGb} GB`
