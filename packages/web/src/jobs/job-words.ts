/** What an act on a machine is called. */
export const actionWords: Record<string, string> = {
  install: '安装',
  reinstall: '重装系统',
  start: '启动',
  stop: '关机',
  restart: '重启',
  resetPassword: '重置密码',
  resize: '升级配置',
  destroy: '释放',
  redefine: '重新定义',
  snapshot: '快照',
  revert: '恢复快照',
  rescue: '救援模式',
}

export const jobStatusWords: Record<string, string> = {
  QUEUED: '排队中',
  RUNNING: '进行中',
  SUCCEEDED: '成功',
  FAILED: '失败',
  SUPERSEDED: '已被取代',
  CANCELLED: '已取消',
}
