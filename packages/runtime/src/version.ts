/** The version of Troupe that writes a log. */
export const version = "0.1.0";
