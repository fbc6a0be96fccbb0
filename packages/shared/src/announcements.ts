export const announcementLevels = ['info', 'warning'] as const
