/** Opens a shell on a server. */
export const sshCommand = (username: string, ipAddress: string, port: number): string =>
  `ssh ${username}@${ipAddress} -p ${port}`
