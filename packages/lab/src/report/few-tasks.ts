/** Below so many tasks a bootstrap over tasks has few samples that differ. */
export const fewTasks = 10;
