export const sshWorker = 'ssh'
