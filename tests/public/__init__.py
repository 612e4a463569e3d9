"""What users rely on: the public interface, and the files of earlier versions."""
