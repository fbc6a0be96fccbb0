/** Who is woken for a job without a host: the ssh worker of any process. */
export const sshWorker = 'ssh'
